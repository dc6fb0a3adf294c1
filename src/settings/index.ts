export { type LoadedSettings, loadSettings, parseSettings } from './load-settings.js';
export { type Settings, settingsSchema } from './schema.js';

export { type LoadedSettings, loadSettings } from './load-settings.js';
export { parseSettings } from './parse-settings.js';
export { type Settings, settingsSchema } from './schema.js';

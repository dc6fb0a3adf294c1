// The settings of one environment: their schema, and a reader that names every mistake.
export { type LoadedSettings, loadSettings, parseSettings } from './load-settings.js';
export { type Settings, settingsSchema } from './schema.js';

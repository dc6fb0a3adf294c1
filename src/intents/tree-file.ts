/** The file of a synthesized stack in which its intents are; apart from the schema, so that commands load no zod for it. */
export const INTENTS_FILE = 'intents.json';

/** The attribute of a widget's markup that a server or a build made. Its value is the fingerprint of the options (`fingerprint.ts`). */
export const PRERENDERED = 'data-portico-rendered';

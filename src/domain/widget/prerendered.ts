/** The attribute of a widget's markup from a server or a build. Its value is the fingerprint of the options (`fingerprint.ts`). */
export const PRERENDERED = 'data-portico-rendered';

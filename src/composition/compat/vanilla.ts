/** `portico/compat/vanilla`: the names of the reference's vanilla package alone, without React's types. */
export * from './common.ts';
export * from './widgets.ts';
export { StytchPasskeyRegistration } from './elements.ts';

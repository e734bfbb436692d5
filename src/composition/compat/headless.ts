/** `portico/compat/headless`: the reference client's headless names, without widgets. */
export * from './common.ts';
export {
  createStytchHeadlessClient,
  createStytchHeadlessClient as createStytchClient,
  StytchHeadlessClient,
  StytchHeadlessClient as StytchClient,
} from './headless-client.ts';

/**
 * The provider, the demo host page, and another app that signs in with them, from one command (`npm start`).
 *
 * - builds stale outputs, prints the addresses, and runs until Ctrl-C, or until npm is gone;
 * - the documentation and the gallery are built in the background;
 * - PORT, PROVIDER_PORT and APP_PORT name ports; when a default port is in use, the next free one is used; a named port in use ends
 *   the command;
 * - `--fresh` deletes the provider's data; PORTICO_DATA names another data folder.
 */
import { runStart } from './lib/start-all.ts';

await runStart();

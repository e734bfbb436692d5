/** `npm start` without its builds, for the tests that start and end it. */
import { PATIENT_SERVER } from '#scripts/lib/provider-process.ts';
import { runStart } from '#scripts/lib/start-all.ts';

await runStart({ build: async () => {}, main: PATIENT_SERVER });

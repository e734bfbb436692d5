import type { Routes } from '../http/endpoints.ts';

export const events: Routes['events'] = {
  /** Telemetry is checked for shape and dropped: what is not kept cannot leak. */
  log: () => Promise.resolve({}),
};

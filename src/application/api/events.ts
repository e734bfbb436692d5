import { listEndpoint } from './list-endpoint.ts';

export const events = {
  /** Logs a batch of events of the widget or client. */
  log: listEndpoint<object>()({
    name: 'events.log',
    method: 'POST',
    path: '/events',
    body: { telemetry: 'object', event: 'object' },
  }),
};

import { listEndpoint } from './endpoint.ts';

export const events = {
  /** A batch of things that happened in the widget or client. */
  log: listEndpoint<object>()({
    name: 'events.log',
    method: 'POST',
    path: '/events',
    body: { telemetry: 'object', event: 'object' },
  }),
};

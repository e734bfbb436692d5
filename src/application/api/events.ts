import type { Infer, Shape } from '#domain/shape.ts';
import type { Endpoint, EndpointDefinition, EndpointRoute, Method, ParamsOf, ReplyBase } from './endpoint.ts';

/** Describes a call whose body is a list. */
function listEndpoint<Reply extends object>() {
  return <const How extends Method, const Path extends string, const Item extends Shape>(
    definition: EndpointDefinition<How, Path, Item> & { readonly body: Item },
  ): Endpoint<ParamsOf<Path>, readonly Infer<Item>[], ReplyBase & Reply> & EndpointRoute<How, Path> => ({
    reply: {},
    ...definition,
    list: true,
  });
}

export const events = {
  /** Logs a batch of events of the widget or client. */
  log: listEndpoint<object>()({
    name: 'events.log',
    method: 'POST',
    path: '/events',
    body: { telemetry: 'object', event: 'object' },
  }),
};

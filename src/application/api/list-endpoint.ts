import type { Infer, Shape } from '#domain/shape.ts';
import type { Endpoint, EndpointDefinition, EndpointRoute, Method, ParamsOf, ReplyBase } from './endpoint.ts';

/** Describes a call whose body is a list. */
export function listEndpoint<Reply extends object>() {
  return <const How extends Method, const Path extends string, const Item extends Shape>(
    definition: EndpointDefinition<How, Path, Item> & { readonly body: Item },
  ): Endpoint<ParamsOf<Path>, readonly Infer<Item>[], ReplyBase & Reply> & EndpointRoute<How, Path> => ({
    reply: {},
    ...definition,
    list: true,
  });
}

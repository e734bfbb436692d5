import type { ESTree } from 'vite';
import { nodesIn, type Place, type SourceGraph } from './source-graph.ts';

type Node = ESTree.Node;

const FILE = 'provider/src/api/create-api.ts';
const NAME = 'createApi';

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name;

/** Whether the call is this method of the app, such as `app.use(…)`. */
const isOfApp = ({ callee }: ESTree.CallExpression, method: string): boolean =>
  callee.type === 'MemberExpression' && isNamed(callee.object, 'app') && isNamed(callee.property, method);

const isText = ({ type }: Node): boolean => type === 'Literal' || type === 'TemplateLiteral';

/** Whether a middleware runs for the paths with this prefix. */
function runsFor({ arguments: [first] }: ESTree.CallExpression, prefix: string): boolean {
  if (first === undefined || !isText(first)) return true;
  return first.type === 'TemplateLiteral' && first.expressions.some((each) => isNamed(each, prefix));
}

/**
 * What runs before each call of an API: the function that mounts the API in `createApi`, the middleware before it, and what becomes of
 * failures.
 *
 * @param mount the name of the function
 * @param prefix the name of the constant with the prefix of the API's paths
 */
export function beforeCalls(graph: SourceGraph, mount: string, prefix: string): readonly Place[] {
  const nodes = graph.placesIn(FILE, [NAME]).flatMap(({ node }) => nodesIn(node));
  const calls = nodes.filter((node) => node.type === 'CallExpression');
  const mounted = calls.find(({ callee }) => isNamed(callee, mount));
  if (mounted === undefined) throw new Error(`${NAME} does not call ${mount}.`);
  const middleware = calls.filter(
    (call) => isOfApp(call, 'use') && call.start < mounted.start && runsFor(call, prefix),
  );
  const failures = calls.filter((call) => isOfApp(call, 'onError'));
  const parts = [...middleware, ...failures].flatMap((call) => call.arguments).filter((part) => !isText(part));
  const locals = nodes.filter((node) => node.type === 'VariableDeclarator');
  const valueOf = (node: Node): Node =>
    (node.type === 'Identifier' ? locals.find(({ id }) => isNamed(id, node.name))?.init : null) ?? node;
  return [mounted.callee, ...parts].map((node) => ({ file: FILE, node: valueOf(node) }));
}

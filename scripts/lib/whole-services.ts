/**
 * The gate of services. A function of the provider takes the services that it uses, `Pick<Services, 'db' | 'clock'>` or a part that a
 * `services.ts` names. The whole `Services` of a wing is for the files that mount routes.
 */
import { parseSync, Visitor, type Node, type ParamPattern, type TSType } from 'oxc-parser';
import { ROOT } from './root.mjs';
import { check, type NamesReport } from './source-names.ts';

/** Files that pass the services on to routes and commands of every kind. */
const MOUNTS: ReadonlySet<string> = new Set([
  'provider/src/api/endpoints.ts',
  'provider/src/api/backend/mount-backend.ts',
  'provider/src/apps/idp/routes/oauth-routes.ts',
  'provider/src/apps/project-oauth-routes.ts',
  'provider/src/operation/admin/admin.ts',
  'provider/src/operation/server/serve-operators.ts',
  'provider/src/operation/operators/app.ts',
  'provider/src/operation/operators/commands.ts',
  'provider/src/operation/operators/desk/route-context.ts',
]);

/** The type of a parameter, with or without a default or a modifier. */
function typeOf(param: ParamPattern | Node): TSType | undefined {
  if (param.type === 'TSParameterProperty') return typeOf(param.parameter);
  if (param.type === 'AssignmentPattern') return typeOf(param.left);
  if (param.type !== 'Identifier' && param.type !== 'ObjectPattern') return undefined;
  return param.typeAnnotation?.typeAnnotation;
}

export const checkWholeServices = (root = ROOT): NamesReport =>
  check(
    root,
    (file, text) => {
      const whole = new Set<string>();
      const given: TSType[] = [];
      const add = (type: TSType | null | undefined): void => {
        if (type !== null && type !== undefined) given.push(type);
      };
      const addParams = ({ params }: { readonly params: readonly ParamPattern[] }): void => {
        for (const param of params) add(typeOf(param));
      };
      new Visitor({
        ImportDeclaration({ source, specifiers }) {
          if (!/(?:^|\/)services\.ts$/u.test(source.value)) return;
          for (const each of specifiers) {
            if (each.type !== 'ImportSpecifier') continue;
            if ('name' in each.imported && each.imported.name === 'Services') whole.add(each.local.name);
          }
        },
        FunctionDeclaration: addParams,
        FunctionExpression: addParams,
        ArrowFunctionExpression: addParams,
        PropertyDefinition: ({ typeAnnotation }) => add(typeAnnotation?.typeAnnotation),
        TSTypeAliasDeclaration: ({ typeAnnotation }) => add(typeAnnotation),
      }).visit(parseSync(file, text).program);
      const isWhole = (type: TSType): boolean =>
        type.type === 'TSIntersectionType' || type.type === 'TSUnionType'
          ? type.types.some(isWhole)
          : type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && whole.has(type.typeName.name);
      const faults = given
        .filter(isWhole)
        .map(({ start }) => [start, 'takes all services: name those that it uses'] as const);
      if (!MOUNTS.has(file)) return { count: given.length, faults };
      const idle = [[0, 'takes no whole Services: remove it from the list of the gate'] as const];
      return { count: given.length, faults: faults.length === 0 ? idle : [] };
    },
    ['provider/src'],
  );

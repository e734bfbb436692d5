/** What a TypeScript source imports and which dangerous names it uses, read from its syntax tree. */
import { parseSync } from 'vite';

const MARKUP_SINKS = new Set(['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'dangerouslySetInnerHTML', 'srcdoc']);

/**
 * @typedef {{ specifier: string | null, line: number, kind: 'static' | 'type' | 'dynamic' }} Import
 *   `specifier` is null where it is computed; `type` leaves no trace in the built file
 * @typedef {{ name: string, line: number }} Use
 * @returns {{ imports: Import[], uses: Use[], errors: string[] }}
 */
export function readSource(path, source) {
  const { program, errors } = parseSync(path, source);
  const imports = [];
  const uses = [];
  const lineOf = (node) => source.slice(0, node.start).split('\n').length;
  const literal = (node) => {
    if (node?.type === 'TSLiteralType') return literal(node.literal);
    if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
    return typeof node?.value === 'string' ? node.value : null;
  };
  const imported = (node, from, kind) => imports.push({ specifier: literal(from), line: lineOf(node), kind });
  const used = (node, name) => uses.push({ name, line: lineOf(node) });

  for (const node of nodesOf(program)) {
    switch (node.type) {
      case 'ImportDeclaration':
        imported(node, node.source, isTypeOnly(node) ? 'type' : 'static');
        break;
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source) imported(node, node.source, isTypeOnly(node) ? 'type' : 'static');
        break;
      case 'ImportExpression':
        imported(node, node.source, 'dynamic');
        break;
      case 'TSImportType':
        imported(node, node.source ?? node.argument, 'type');
        break;
      case 'TSExternalModuleReference':
        imported(node, node.expression, 'static');
        break;
      case 'CallExpression':
      case 'NewExpression':
        if (isNamed(node.callee, 'require')) imported(node, node.arguments[0], 'static');
        if (isNamed(node.callee, 'eval')) used(node, 'eval');
        if (isNamed(node.callee, 'Function')) used(node, 'new Function');
        break;
      case 'MemberExpression':
        noteMember(node, used);
        break;
      case 'JSXAttribute':
        if (MARKUP_SINKS.has(node.name.name) || node.name.name === 'srcDoc') used(node, node.name.name);
        break;
      case 'Property':
        if (MARKUP_SINKS.has(propertyName(node.key))) used(node, propertyName(node.key));
        break;
    }
  }
  return { imports, uses, errors: errors.map((error) => error.message) };
}

const isNamed = (node, name) => node?.type === 'Identifier' && node.name === name;
const propertyName = (node) => node?.name ?? (typeof node?.value === 'string' ? node.value : '');

/** `import { type A, type B }` is as type-only as `import type { A, B }`, but a bare `import 'x'` is not. */
function isTypeOnly(node) {
  if ((node.importKind ?? node.exportKind) === 'type') return true;
  const specifiers = node.specifiers ?? [];
  return specifiers.length > 0 && specifiers.every((one) => (one.importKind ?? one.exportKind) === 'type');
}

function noteMember(node, used) {
  const name = node.computed ? literalName(node.property) : node.property.name;
  if (MARKUP_SINKS.has(name)) used(node, name);
  if ((name === 'write' || name === 'writeln') && endsWith(node.object, 'document')) used(node, `document.${name}`);
  if (name === 'credentials' && endsWith(node.object, 'navigator')) used(node, 'navigator.credentials');
  if (name === 'eval' && endsWith(node.object, 'globalThis')) used(node, 'eval');
}

const literalName = (node) => (node?.type === 'Literal' ? String(node.value) : '');

/** `document`, `window.document` and `this.document` all end with `document`. */
function endsWith(node, name) {
  return isNamed(node, name) || (node?.type === 'MemberExpression' && propertyName(node.property) === name);
}

function* nodesOf(value) {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (value !== null && typeof value === 'object') {
    if (typeof value.type === 'string') yield value;
    for (const [key, child] of Object.entries(value)) if (key !== 'parent') yield* nodesOf(child);
  }
}

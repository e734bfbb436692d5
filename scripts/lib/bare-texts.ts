/**
 * The gate of bare texts. Chrome and Edge translate a page by replacing its text nodes, so a renderer can neither change nor remove one
 * of them, nor insert anything before one. Therefore a text that can appear, change or go away is alone in its element. A slot that may
 * hold a text is alone, too; one beside others has the type `Elements`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor, type JSXChild, type JSXElement, type Node } from 'oxc-parser';
import { ROOT } from './root.mjs';
import { check, type NamesReport } from './source-names.ts';

const BESIDE = 'a text beside others: give it an element of its own';
const MIXED = 'a text in place of an element: give it an element of its own';
const RETURNED = 'a component that renders a bare text: give it an element of its own';
const BEFORE = 'a bare text beside what can come or go: give it an element of its own';

/** `elements` renders elements, `nothing` nothing; `other` may be a text. */
type Content = 'elements' | 'nothing' | 'other';

interface Names {
  readonly values: ReadonlyMap<string, Node>;
  /** Properties and parameters of the type `Elements`. */
  readonly slots: ReadonlySet<string>;
}

const isFunction = (node: Node | null | undefined) =>
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'FunctionDeclaration';

/** The values that a function returns, without those of functions inside. */
function returnsOf(node: Node): readonly Node[] {
  if (
    node.type !== 'ArrowFunctionExpression' &&
    node.type !== 'FunctionExpression' &&
    node.type !== 'FunctionDeclaration'
  )
    return [];
  const { body } = node;
  if (body === null) return [];
  if (body.type !== 'BlockStatement') return [body];
  const found: Node[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === 'object' && value !== null && 'type' in value) {
      const each = value as Node;
      if (isFunction(each)) return;
      if (each.type === 'ReturnStatement') {
        if (each.argument) found.push(each.argument);
        return;
      }
      Object.values(each).forEach(look);
    }
  };
  look(body.body);
  return found;
}

/** What an expression can render, each way once. */
function renderedBy(node: Node | null | undefined, names: Names, depth = 0): readonly Content[] {
  const of = (...nodes: readonly (Node | null | undefined)[]): readonly Content[] => [
    ...new Set(nodes.flatMap((each) => renderedBy(each, names, depth + 1))),
  ];
  if (!node || depth > 20) return ['other'];
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return ['elements'];
    case 'Literal':
      return node.value === null || typeof node.value === 'boolean' ? ['nothing'] : ['other'];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
      return of(node.expression);
    case 'LogicalExpression':
      return node.operator === '&&' ? [...new Set([...of(node.right), 'nothing' as const])] : of(node.left, node.right);
    case 'ConditionalExpression':
      return of(node.consequent, node.alternate);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return of(...returnsOf(node));
    case 'ArrayExpression':
      return of(...node.elements.map((each) => (each?.type === 'SpreadElement' ? each.argument : each)));
    case 'CallExpression': {
      const { callee, arguments: given } = node;
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
        if (['map', 'flatMap'].includes(callee.property.name)) return of(given[0]);
      }
      if (callee.type !== 'Identifier') return ['other'];
      if (callee.name === 'createElement' || names.slots.has(callee.name)) return ['elements'];
      return of(names.values.get(callee.name));
    }
    case 'MemberExpression': {
      if (!node.computed && node.property.type === 'Identifier') {
        return names.slots.has(node.property.name) ? ['elements'] : ['other'];
      }
      const whole = node.object.type === 'Identifier' ? names.values.get(node.object.name) : undefined;
      if (whole?.type !== 'ObjectExpression') return ['other'];
      return of(...whole.properties.map((each) => (each.type === 'Property' ? each.value : each.argument)));
    }
    case 'Identifier':
      if (node.name === 'undefined') return ['nothing'];
      return names.slots.has(node.name) ? ['elements', 'nothing'] : of(names.values.get(node.name));
    default:
      return ['other'];
  }
}

/** The properties of the type `Elements` in the types of these names. */
function slotsOf(path: string, types: readonly string[]): readonly string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  return program.body.flatMap((each) => {
    const type = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    return type?.type === 'TSInterfaceDeclaration' && types.includes(type.id.name)
      ? [...namesIn(type, path).slots]
      : [];
  });
}

function namesIn(program: Node, path: string): Names {
  const values = new Map<string, Node>();
  const slots = new Set<string>();
  new Visitor({
    ImportDeclaration({ source: { value }, specifiers }) {
      const from = join(dirname(path), value);
      const types = specifiers.map(({ local }) => local.name).filter((name) => name.endsWith('Props'));
      if (types.length > 0 && existsSync(from)) for (const name of slotsOf(from, types)) slots.add(name);
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) values.set(id.name, init);
    },
    FunctionDeclaration(node) {
      if (node.id) values.set(node.id.name, node);
    },
    TSPropertySignature({ key, typeAnnotation }) {
      let type = typeAnnotation?.typeAnnotation;
      if (type?.type === 'TSFunctionType') type = type.returnType?.typeAnnotation;
      const isSlot =
        type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Elements';
      if (isSlot && key.type === 'Identifier') slots.add(key.name);
    },
  }).visit((program.type === 'Program' ? program : { type: 'Program', body: [program] }) as never);
  return { values, slots };
}

const nameOf = ({ openingElement: { name } }: JSXElement): string =>
  name.type === 'JSXIdentifier' ? name.name : name.type === 'JSXMemberExpression' ? name.property.name : '';

const isHost = (element: JSXElement): boolean => /^[a-z]/u.test(nameOf(element));

/** Nothing in it is translated. */
const isKept = ({ openingElement: { attributes } }: JSXElement): boolean =>
  attributes.some(
    (each) =>
      each.type === 'JSXAttribute' &&
      each.name.name === 'translate' &&
      each.value?.type === 'Literal' &&
      each.value.value === 'no',
  );

/** White space with a line break is no child. */
const isChild = (child: JSXChild): boolean =>
  child.type === 'JSXText'
    ? child.value.trim() !== '' || !child.value.includes('\n')
    : child.type !== 'JSXExpressionContainer' || child.expression.type !== 'JSXEmptyExpression';

const isLiteral = (child: JSXChild): boolean =>
  child.type === 'JSXText' || (child.type === 'JSXExpressionContainer' && child.expression.type === 'Literal');

export const checkBareTexts = (root = ROOT): NamesReport =>
  check(
    root,
    (file, text) => {
      if (!file.endsWith('.tsx')) return { count: 0, faults: [] };
      const { program } = parseSync(file, text);
      const names = namesIn(program, join(root, file));
      const faults: (readonly [number, string])[] = [];
      let count = 0;
      const kept: (readonly [start: number, end: number])[] = [];
      const isExempt = ({ start }: { readonly start: number }): boolean =>
        kept.some(([from, to]) => from < start && start < to);
      const fault = (node: { readonly start: number }, what: string): void => {
        if (!isExempt(node)) faults.push([node.start, what]);
      };
      /** What renders an element and nothing else, at any time. */
      const isSteady = (child: JSXChild): boolean => {
        if (child.type === 'JSXElement') return isHost(child);
        if (child.type !== 'JSXExpressionContainer' || child.expression.type !== 'Identifier') return isLiteral(child);
        return names.values.get(child.expression.name)?.type === 'JSXElement';
      };
      /** Children that stand beside others. */
      const list = (children: readonly JSXChild[]): void => {
        for (const child of children) {
          if (isLiteral(child)) {
            if (!children.every(isSteady)) fault(child, BEFORE);
          } else if (child.type === 'JSXExpressionContainer') {
            if (renderedBy(child.expression, names).includes('other')) fault(child, BESIDE);
          }
        }
      };
      const alone = (node: Node): void => {
        const rendered = renderedBy(node, names);
        if (rendered.includes('elements') && rendered.includes('other')) fault(node, MIXED);
      };
      new Visitor({
        JSXElement(element) {
          count += 1;
          if (isKept(element)) kept.push([element.start, element.end]);
          const children = element.children.filter(isChild);
          const [first] = children;
          if (children.length > 1 || nameOf(element) === 'Provider') list(children);
          else if (first?.type === 'JSXExpressionContainer') alone(first.expression);
        },
        JSXFragment(fragment) {
          const children = fragment.children.filter(isChild);
          for (const child of children) if (isLiteral(child)) fault(child, BEFORE);
          list(children.filter((child) => !isLiteral(child)));
        },
        JSXAttribute({ value }) {
          if (value?.type === 'JSXExpressionContainer') alone(value.expression);
        },
        FunctionDeclaration: (node) => {
          if (/^[A-Z]/u.test(node.id?.name ?? '')) component(node);
        },
        FunctionExpression: (node) => {
          if (/^[A-Z]/u.test(node.id?.name ?? '')) component(node);
        },
        MethodDefinition: ({ key, value }) => {
          if (key.type === 'Identifier' && key.name === 'render') component(value);
        },
        VariableDeclarator: ({ id, init }) => {
          if (id.type === 'Identifier' && /^[A-Z]/u.test(id.name) && isFunction(init)) component(init as Node);
        },
      }).visit(program);
      function component(node: Node): void {
        for (const value of returnsOf(node)) if (renderedBy(value, names).includes('other')) fault(value, RETURNED);
      }
      return { count, faults };
    },
    ['src/presentation'],
  );

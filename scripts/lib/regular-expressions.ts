/**
 * The gate of regular expressions: none of the product needs more than linear time. Others can choose the text, and the server has one thread.
 */
import { parseSync, Visitor, type Argument, type Expression } from 'oxc-parser';
import { ROOT } from './root.mjs';
import { check, type NamesReport } from './source-names.ts';
import { PRODUCT } from './product.ts';
import { isSuperLinear } from './super-linear.ts';

/** Files that compose an expression of constants; the test of this gate reads it. */
export const OF_CONSTANTS: readonly string[] = [
  'src/application/inspector/field-rules.ts',
  'src/domain/consent/user-code.ts',
  'server-rules/passcodes.ts',
  'server-rules/sign-in-message.ts',
  'src/domain/widget/theme.ts',
];

/** Files that compose others, and who chooses the text. */
const OF_TEXTS: ReadonlyMap<string, string> = new Map([
  ['src/composition/tools/html-file.ts', 'who builds a page'],
  ['kit/transport/fake-transport.ts', 'the test'],
  ['provider/src/project/settings/delivery.ts', 'the operator'],
  ['provider/src/project/readers/readers.ts', 'the operator'],
  ['provider/src/api/clientside/services-script.ts', 'the operator'],
]);

const SLOW = 'can need more than linear time: use a bounded repetition, or no regular expression';

export const checkExpressions = (root = ROOT): NamesReport =>
  check(
    root,
    (file, text) => {
      const faults: (readonly [number, string])[] = [];
      let count = 0;
      const compose = (callee: Expression, [pattern]: readonly Argument[], start: number): void => {
        if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
        const isListed = OF_CONSTANTS.includes(file) || OF_TEXTS.has(file);
        if (!isListed) faults.push([start, 'composes a regular expression: write it as a literal']);
        count += pattern === undefined ? 0 : 1;
      };
      new Visitor({
        Literal({ start, ...literal }) {
          if (!('regex' in literal)) return;
          count += 1;
          const { pattern, flags } = literal.regex;
          if (isSuperLinear(pattern, flags)) faults.push([start, `/${pattern}/${flags} ${SLOW}`]);
        },
        NewExpression: ({ callee, arguments: given, start }) => compose(callee, given, start),
        CallExpression: ({ callee, arguments: given, start }) => compose(callee, given, start),
      }).visit(parseSync(file, text).program);
      return { count, faults };
    },
    PRODUCT,
  );

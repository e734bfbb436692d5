/** The fast gates: each answers whether it holds and, when it does not, why. */
import { availableParallelism } from 'node:os';
import { checkBareTexts } from './bare-texts.ts';
import { checkCircles } from './circles.ts';
import { checkLocks } from '../lock-guard.ts';
import type { Report, Verdict } from './report.ts';
import { checkExpressions } from './regular-expressions.ts';
import { checkRooms } from './rooms.ts';
import { checkNamedImports } from './named-imports.ts';
import { ROOT } from './root.mjs';
import { bin, runNode } from './run.ts';
import { checkPrivateMembers, checkTypeNames, checkValueNames, checkWords } from './source-names.ts';
import { checkWholeServices } from './whole-services.ts';

interface Gate {
  readonly name: string;
  readonly check: (root?: string) => Promise<Verdict & { readonly output: string }>;
}

/**
 * Each checker of the compiler checks again what the files of the others use, and by default there are four: on two cores one alone is
 * done with two thirds of the computing, while another gate has the other core.
 */
export const CHECKERS = String(Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))));

/** An installed command; it holds when it exits with 0. */
const command =
  (...args: readonly string[]): Gate['check'] =>
  async (root = ROOT) => {
    const { code, output } = await runNode(args, { cwd: root });
    return { ok: code === 0, output };
  };

/** oxlint exits with 0 when it found no file to read, so the number of files is part of the verdict. */
async function lint(root = ROOT): ReturnType<Gate['check']> {
  const { code, output } = await runNode([bin('oxlint/bin/oxlint'), '--deny-warnings'], { cwd: root });
  const files = Number(/on (\d+) files?/.exec(output)?.[1] ?? 0);
  return {
    ok: code === 0 && files > 0,
    output: files > 0 ? output : `oxlint read no file\n${output}`,
    note: `${files} files`,
  };
}

export const GATES: Readonly<
  Record<
    | 'lock'
    | 'types'
    | 'core'
    | 'lint'
    | 'circles'
    | 'rooms'
    | 'namedImports'
    | 'typeNames'
    | 'privateMembers'
    | 'valueNames'
    | 'words'
    | 'services'
    | 'texts'
    | 'expressions'
    | 'format'
    | 'knip',
    Gate
  >
> = {
  lock: {
    name: 'locks',
    async check(root) {
      const { ok, packages, problems } = checkLocks(root);
      return { ok, output: problems.join('\n'), note: `${packages} packages` };
    },
  },
  types: { name: 'types', check: command(bin('typescript/bin/tsc'), '-p', 'tsconfig.json', '--checkers', CHECKERS) },
  core: {
    name: 'types of the core, without the DOM',
    check: command(bin('typescript/bin/tsc'), '-p', 'tsconfig.core.json'),
  },
  lint: { name: 'lint', check: lint },
  circles: {
    name: 'circles of files and folders',
    async check(root) {
      const { ok, files, output } = checkCircles(root);
      return { ok, output, note: `${files} files` };
    },
  },
  rooms: {
    name: 'width and depth of folders',
    async check(root) {
      const { ok, count, output } = checkRooms(root);
      return { ok, output, note: `${count} folders` };
    },
  },
  namedImports: {
    name: 'imports by name',
    async check(root) {
      const { ok, count, output } = checkNamedImports(root);
      return { ok, output, note: `${count} files` };
    },
  },
  typeNames: {
    name: 'names of types',
    async check(root) {
      const { ok, count, output } = checkTypeNames(root);
      return { ok, output, note: `${count} types` };
    },
  },
  valueNames: {
    name: 'names of values',
    async check(root) {
      const { ok, count, output } = checkValueNames(root);
      return { ok, output, note: `${count} values` };
    },
  },
  privateMembers: {
    name: 'private members',
    async check(root) {
      const { ok, count, output } = checkPrivateMembers(root);
      return { ok, output, note: `${count} members` };
    },
  },
  words: {
    name: 'words of the glossary',
    async check(root) {
      const { ok, count, output } = checkWords(root);
      return { ok, output, note: `${count} names` };
    },
  },
  services: {
    name: 'services of functions',
    async check(root) {
      const { ok, count, output } = checkWholeServices(root);
      return { ok, output, note: `${count} types` };
    },
  },
  texts: {
    name: 'texts that a browser can translate',
    async check(root) {
      const { ok, count, output } = checkBareTexts(root);
      return { ok, output, note: `${count} elements` };
    },
  },
  expressions: {
    name: 'time of regular expressions',
    async check(root) {
      const { ok, count, output } = checkExpressions(root);
      return { ok, output, note: `${count} expressions` };
    },
  },
  knip: { name: 'unused files, exports and packages', check: command(bin('knip/bin/knip.js')) },
  format: { name: 'format', check: command(bin('oxfmt/bin/oxfmt'), '--check', '.') },
};

/** A stage for each gate, which counts it in the report. */
export const gateStages = (report: Report): readonly (() => Promise<boolean>)[] =>
  Object.values(GATES).map(
    ({ name, check }) =>
      async () =>
        report.stage(name, async () => check()),
  );

/** The fast gates: each answers whether it holds and, when it does not, why. */
import { checkLayers } from '../layers.mjs';
import { checkLock } from '../lock-guard.mjs';
import { ROOT } from './root.mjs';
import { bin, runNode } from './run.mjs';

/**
 * @typedef {{ ok: boolean, output: string, note?: string }} Verdict
 * @typedef {{ name: string, check: (root?: string) => Promise<Verdict> }} Gate
 */

/** An installed command; it holds when it exits with 0. */
const command =
  (...args) =>
  async (root = ROOT) => {
    const { code, output } = await runNode(args, { cwd: root });
    return { ok: code === 0, output };
  };

/** oxlint exits with 0 when it found no file to read, so the number of files is part of the verdict. */
async function lint(root = ROOT) {
  const { code, output } = await runNode([bin('oxlint/bin/oxlint'), '--deny-warnings'], { cwd: root });
  const files = Number(/on (\d+) files?/.exec(output)?.[1] ?? 0);
  return {
    ok: code === 0 && files > 0,
    output: files > 0 ? output : `oxlint read no file\n${output}`,
    note: `${files} files`,
  };
}

/** @type {Record<string, Gate>} */
export const GATES = {
  lock: {
    name: 'lock',
    async check(root) {
      const { ok, packages, problems } = checkLock(root);
      return { ok, output: problems.join('\n'), note: `${packages} packages` };
    },
  },
  layers: {
    name: 'layers',
    async check(root) {
      const { ok, files, problems } = checkLayers(root);
      return { ok, output: problems.join('\n'), note: `${files} files` };
    },
  },
  types: { name: 'types', check: command(bin('typescript/bin/tsc'), '-p', 'tsconfig.json') },
  core: {
    name: 'types of the core, without the DOM',
    check: command(bin('typescript/bin/tsc'), '-p', 'tsconfig.core.json'),
  },
  lint: { name: 'lint', check: lint },
  format: { name: 'format', check: command(bin('oxfmt/bin/oxfmt'), '--check', '.') },
};

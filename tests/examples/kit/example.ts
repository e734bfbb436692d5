import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { ROOT } from '../../../scripts/lib/root.mjs';
import { runNode, start, stop, untilSays } from '../../../scripts/lib/run.ts';
import { outsideEnv, unpackPackage } from '../../package/pack.ts';

/** How one of `examples/` is built and served. Commands are scripts of installed packages, such as `next/dist/bin/next`. */
interface Recipe {
  /** Run one after the other: type checks, builds. */
  readonly builds: readonly (readonly string[])[];
  readonly serve: (port: number) => readonly string[];
  /** What the server prints once it listens. */
  readonly ready: RegExp;
  /** What the app is told of the provider, in the builds too. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningExample {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Copies an example out of the repository's sources, with the packed tarball as its `portico`, builds it and serves it on a free
 * port. Its other packages are the repository's, which are found in the folders above the copy.
 */
export async function startExample(name: string, recipe: Recipe): Promise<RunningExample> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, `.cache/example-${name}-`));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const script = ([file = '', ...args]: readonly string[]) => [join(ROOT, 'node_modules', file), ...args];
  const options = { cwd: folder, env: { ...outsideEnv, NODE_ENV: 'production' as const, ...recipe.env } };
  try {
    cpSync(join(ROOT, 'examples', name), folder, { recursive: true });
    await unpackPackage(process.env['PORTICO_TARBALL'] ?? '', folder);
    for (const command of recipe.builds) {
      const { code, output } = await runNode(script(command), options);
      if (code !== 0) throw new Error(`${command.join(' ')} ended with code ${code}\n${output}`);
    }
    const port = await getPort();
    const child = start(process.execPath, script(recipe.serve(port)), {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await untilSays(child, recipe.ready);
    return {
      url: `http://localhost:${port}`,
      async stop() {
        await stop(child);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

import { transformWithOxc } from 'vite';

/** A module as Node 12 would need it; null where it can read the module as it is. */
export async function newerSyntax(code: string): Promise<string | null> {
  const [old, same] = await Promise.all(
    ['es2019', 'esnext'].map((target) => transformWithOxc(code, 'module.js', { target, sourcemap: false })),
  );
  return old?.code === same?.code ? null : (old?.code ?? null);
}

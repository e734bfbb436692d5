import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#scripts/lib/root.mjs';
import { bin, runNode } from '#scripts/lib/run.ts';

interface KubernetesObject {
  /** Such as `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** The type that Kubernetes' API has for an object, from its OpenAPI description. */
const typeOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `import('kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}').${kind}`;

/** Compares objects with Kubernetes' types. @returns what the compiler says of unknown and missing fields and wrong types; else nothing */
export async function kubernetesProblems(objects: readonly KubernetesObject[]): Promise<string> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/kubernetes-'));
  try {
    symlinkSync(join(ROOT, 'tests/openapi/node_modules'), join(folder, 'node_modules'));
    const constants = objects.map(
      (object, index) => `export const object${index}: ${typeOf(object)} = ${JSON.stringify(object, null, 2)};\n`,
    );
    writeFileSync(join(folder, 'objects.ts'), constants.join(''));
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const { output } = await runNode([bin('typescript/bin/tsc'), ...options, 'objects.ts'], { cwd: folder });
    return output.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '#scripts/lib/root.mjs';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<'test' | 'publish', Job>>;
}

const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
const { on, permissions, jobs } = parse(text) as Workflow;
const steps = Object.values(jobs).flatMap((job) => job.steps);
const { scripts, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

describe('the workflow of a release', () => {
  it('begins with the tag of a version', () => {
    const [tag = ''] = on.push.tags;
    expect(on).toEqual({ push: { tags: [tag] } });
    expect(`v${version}`).toMatch(new RegExp(`^${tag.replaceAll('.', '\\.')}$`, 'u'));
  });

  it('publishes only what the tests passed, with a signed provenance', () => {
    expect(Object.keys(jobs)).toEqual(['test', 'publish']);
    expect(jobs.test.steps.at(-1)).toEqual({ run: 'npm test' });
    expect(jobs.publish).toMatchObject({ needs: 'test', environment: 'npm' });
    expect(jobs.publish.steps.map(({ run }) => run)).toContain('npm run release -- --publish');
    for (const path of ['package.json', 'provider/package.json']) {
      const { publishConfig } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as {
        readonly publishConfig: object;
      };
      expect(publishConfig, path).toEqual({ access: 'public', provenance: true });
    }
  });

  it('has rights to write in one job, and the token of the registry in one step', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.test.permissions).toBeUndefined();
    expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    const withSecrets = steps.filter(({ env = {} }) => Object.values(env).some((value) => value.includes('secrets.')));
    expect(withSecrets.map(({ run }) => run)).toEqual(['npm run release -- --publish']);
  });

  it('names actions by their commit, which nobody can change, and scripts that there are', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(3);
    expect(actions.filter((action) => !/^actions\/[\w-]+@[\da-f]{40}$/u.test(action))).toEqual([]);
    const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.every((step) => step.with?.['persist-credentials'] === false)).toBe(true);
    const named = steps.flatMap(({ run = '' }) => /^npm (?:run )?(\w+)/u.exec(run)?.[1] ?? []);
    expect(named).toEqual(['test', 'release']);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

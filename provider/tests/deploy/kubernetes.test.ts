import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import getPort from 'get-port';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { PATIENT_SERVER } from '#scripts/lib/provider-process.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { start, stop, untilSays } from '#scripts/lib/run.ts';
import { kubernetesProblems } from '#tests/openapi/kubernetes-check.ts';
import { OPTIONS, type OptionSpec } from '#provider/operation/options/option-table.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { readContainerfile } from '../kit/containerfile.ts';
import { newDatabase, type PostgresDatabase } from '../kit/postgres.ts';
import { buildServer } from '../kit/server-process.ts';

// The objects are compared with the types of Kubernetes.
// oxlint-disable-next-line typescript/no-explicit-any
type Manifest = any;

const objectsIn = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(ROOT, 'provider/deploy', file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
const secret: Manifest = objectsIn('kubernetes-secret.yaml')[0];
const [configMap, service, deployment, budget] = objectsIn('kubernetes.yaml');
const { spec: pod, metadata: podMetadata } = deployment.spec.template;
const [container] = pod.containers;
const image = readContainerfile('provider/deploy/Containerfile');

const VARIABLES = new Map(
  Object.values(OPTIONS).flatMap(({ variable = '', isSecret }: OptionSpec) =>
    isSecret === true
      ? [
          [variable, 'secret'],
          [`${variable}_FILE`, 'file'],
        ]
      : [[variable, 'plain']],
  ) as readonly (readonly [string, string])[],
);
const environment: Readonly<Record<string, string>> = Object.fromEntries(
  container.env.map(({ name, value }: Readonly<Record<'name' | 'value', string>>) => [name, value]),
);

/** The texts of the mounted files, by their paths in the container. */
const mounted: ReadonlyMap<string, string> = new Map(
  container.volumeMounts.flatMap(({ name, mountPath }: Readonly<Record<'name' | 'mountPath', string>>) => {
    const volume = pod.volumes.find((one: { readonly name: string }) => one.name === name);
    const texts = volume.configMap?.name === configMap.metadata.name ? configMap.data : secret.stringData;
    return Object.entries(texts as Readonly<Record<string, string>>).map(([file, text]) => [
      `${mountPath}/${file}`,
      text,
    ]);
  }),
);

describe('the files for Kubernetes', () => {
  it('match the types of Kubernetes', async () => {
    expect(await kubernetesProblems([secret, configMap, service, deployment, budget])).toBe('');
  });

  it('are compared with them: an unknown field, a missing field and a value of another type are found', async () => {
    const { ports } = service.spec;
    const misspelled = { ...service, spec: { selectr: {}, ports } };
    const unselected = { ...deployment, spec: { ...deployment.spec, selector: undefined } };
    const text = { ...budget, spec: { ...budget.spec, selector: 'portico-provider' } };
    const problems = await kubernetesProblems([misspelled, unselected, text]);
    expect(problems).toContain(`'"selectr"' does not exist`);
    expect(problems).toContain("Property 'selector' is missing");
    expect(problems).toContain("Type 'string' has no properties in common with type 'LabelSelector'");
  });

  it('name amounts of memory and of processors as Kubernetes reads them', () => {
    const { requests, limits } = container.resources;
    expect(requests.cpu).toMatch(/^\d+m?$/u);
    for (const { memory } of [requests, limits]) expect(memory).toMatch(/^\d+[KMGT]i$/u);
  });

  it('select each other', () => {
    expect(podMetadata.labels).toEqual(deployment.spec.selector.matchLabels);
    expect(service.spec.selector).toEqual(podMetadata.labels);
    expect(budget.spec.selector.matchLabels).toEqual(podMetadata.labels);
    expect(pod.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(podMetadata.labels);
    const names = container.ports.map(({ name }: { readonly name: string }) => name);
    expect(names).toContain(service.spec.ports[0].targetPort);
    expect(pod.volumes[1].secret.secretName).toBe(secret.metadata.name);
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(names).toContain(container[probe].httpGet.port);
    }
    expect(container.ports[0].containerPort).toBe(Number(image.env['PORTICO_PORT']));
    expect(container.ports[1].containerPort).toBe(Number(environment['PORTICO_METRICS_PORT']));
  });

  it('leave pods for the users during updates and drains of a node', () => {
    expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.maxUnavailable);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    const { drainSeconds } = optionsFrom(['--project', 'p.json'], {});
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 30);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds - 1);
  });

  it('run the user of the image with a read-only file system and without rights', () => {
    const user = `${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`;
    expect(user).toBe(image.valueOf('USER'));
    expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false });
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts.every(({ readOnly }: { readonly readOnly: boolean }) => readOnly)).toBe(true);
  });

  it('set only options that there are, secrets as files alone, and name files that they mount', () => {
    const kinds = Object.keys(environment).map((name) => [name, VARIABLES.get(name)]);
    expect(kinds.filter(([, kind]) => kind === undefined || kind === 'secret')).toEqual([]);
    const files = Object.values(environment).filter((value) => value.startsWith('/'));
    expect(files.sort()).toEqual([...mounted.keys()].sort());
    // What the owner and the group of the server's user may read, and nobody else.
    expect(pod.volumes[1].secret.defaultMode).toBe(0o440);
    expect(pod.securityContext.fsGroup).toBe(pod.securityContext.runAsGroup);
  });

  it('have a project file that the server reads, and a key that it refuses', () => {
    expect(projectFrom(parse(configMap.data['portico.jsonc']), false).issuer).toBe('https://auth.example.com');
    expect(secret.stringData['portico.key']).toBe('replace-me');
  });
});

const serverUrl = process.env['TEST_DATABASE_URL'];
describe.runIf(serverUrl !== undefined)('a pod of the files for Kubernetes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pod-'));
  let database: PostgresDatabase;
  beforeAll(async () => {
    await buildServer();
    database = await newDatabase(serverUrl ?? '', `pod_${randomBytes(6).toString('hex')}`);
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('starts with its files and variables, and answers its probes', async () => {
    const own: Readonly<Record<string, string>> = {
      'portico.key': randomBytes(32).toString('base64url'),
      'database-url': database.store.url,
    };
    for (const [path, text] of mounted) {
      const at = join(folder, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, own[path.split('/').pop() ?? ''] ?? text, { mode: 0o440 });
    }
    const here = Object.entries(environment).map(([name, value]) => [
      name,
      value.startsWith('/') ? join(folder, value) : value,
    ]);
    const loopback = { PORTICO_HOST: '127.0.0.1', PORTICO_METRICS_HOST: '127.0.0.1' };
    const ports = { PORTICO_PORT: String(await getPort()), PORTICO_METRICS_PORT: String(await getPort()) };
    const env = { PATH: process.env['PATH'], ...image.env, ...Object.fromEntries(here), ...loopback, ...ports };
    const server = start(process.execPath, [join(ROOT, PATIENT_SERVER)], {
      env,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      await untilSays(server, /listening on /u);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path } = container[probe].httpGet;
        expect((await fetch(`http://127.0.0.1:${ports.PORTICO_PORT}${path}`)).status, path).toBe(200);
      }
      expect((await fetch(`http://127.0.0.1:${ports.PORTICO_METRICS_PORT}/metrics`)).status).toBe(200);
    } finally {
      await stop(server, 'SIGKILL');
    }
  });
});

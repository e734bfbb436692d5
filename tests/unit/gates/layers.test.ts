import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { soakIt } from '../../soak-tests.ts';
import { projectWith } from './folder.ts';

const PATTERN = 'no-restricted-imports';

describe('the rules of the layers', () => {
  const sound: Readonly<Record<string, string>> = {
    'src/domain/a.ts': 'export const a = 1;',
    'src/application/ports/index.ts': "export type { P } from './p.port.ts';",
    'src/application/ports/p.port.ts': "import type { Observable } from 'rxjs'; export type P = Observable<number>;",
    'src/application/server/a.ts': "import { p } from '../ports/index.ts';",
    'src/infrastructure/server/a.ts':
      "import { jwtVerify } from 'jose'; import type { P } from '#application/ports/index.ts';",
    'src/infrastructure/http/k.ts': "import ky from 'ky'; import type { P } from '#application/ports/index.ts';",
    'src/infrastructure/http/l.ts': "export { a } from '#domain/a.ts'; export { b } from '../storage/b.ts';",
    'src/presentation/W.tsx': "import css from './w.css?inline'; import { useState } from 'react';",
    'src/composition/client.ts': "import { createRoot } from 'react-dom/client'; export * from '#domain/a.ts';",
    'src/composition/server/a.ts': "import type { Context } from 'hono'; export { a } from '#domain/a.ts';",
    'src/composition/lazy/container.ts': "import { Container } from 'inversify';",
    'src/composition/testing.ts': "export * from '#tests/contract/p.contract.ts'; export * from '#kit/a.ts';",
    'server-rules/a.ts': "import { a } from '#domain/a.ts';",
    'kit/a.ts':
      "import { a } from '#server-rules/a.ts'; import type { P } from '#application/ports/index.ts'; import { b } from '#infrastructure/http/l.ts';",
    'provider/src/accounts/a.ts': "import { a } from '#server-rules/a.ts';",
    'provider/src/main.ts':
      "import 'node:fs/promises'; import { run } from './operation/server/run.ts'; import { a } from '../../src/domain/a.ts';",
    'provider/src/base/db/a.ts': "import 'kysely/helpers/postgres'; import '#application/api/otps.ts';",
    'provider/src/operation/a.ts':
      "import { a } from '#provider/api/a.ts'; import { b } from '#provider/dev/control/b.ts';",
    'provider/src/accounts/otps/a.ts':
      "import '#application/api/otps.ts'; import '@noble/curves/ed25519.js'; import '#provider/base/a.ts';",
    'demo/index.ts': "import './demo.css'; import { PorticoUIClient } from 'portico/react';",
    'src/domain/comment.ts': '// never innerHTML, never eval(x)\nexport {};',
    'src/domain/long.ts': '//\n'.repeat(300),
  };

  const wrong: readonly (readonly [string, string, string])[] = [
    ['src/domain/a.ts', "import { of } from 'rxjs';", PATTERN],
    ['src/domain/a.ts', "import { x } from '#application/x.ts';", PATTERN],
    ['src/domain/a.ts', "export * from '#presentation/x.tsx';", PATTERN],
    ['src/domain/a.ts', "import type { X } from '#application/x.ts';", PATTERN],
    ['src/domain/a.ts', "type X = import('#application/x.ts').X;", 'consistent-type-imports'],
    ['src/domain/a.ts', "const x = () => import('#application/x.ts');", PATTERN],
    ['src/domain/a.ts', 'const x = (n: string) => import(n);', 'no-dynamic-require'],
    ['src/domain/a.ts', "import fs from 'node:fs';", PATTERN],
    ['src/application/a.ts', "import ky from 'ky';", PATTERN],
    ['src/application/server/a.ts', "import { jwtVerify } from 'jose';", 'It runs on servers, without rxjs'],
    ['src/infrastructure/http/a.ts', "import { jwtVerify } from 'jose';", 'It takes the ports and the api'],
    ['src/application/server/a.ts', "import { of } from 'rxjs';", 'It runs on servers, without rxjs'],
    [
      'src/infrastructure/a.ts',
      "import { x } from '#application/session/x.ts';",
      'the ports and the api of application',
    ],
    ['src/infrastructure/a.ts', "import { x } from '#presentation/x.tsx';", 'the ports and the api of application'],
    ['src/presentation/a.tsx', "import { x } from '#infrastructure/x.ts';", PATTERN],
    ['src/composition/mount.ts', "import { Container } from 'inversify';", 'only composition/lazy/ imports inversify'],
    ['src/composition/server/a.ts', "import { useState } from 'react';", 'It runs on servers: no React'],
    ['src/composition/index.ts', "export * from '#tests/contract/p.contract.ts';", 'It takes every layer'],
    ['src/infrastructure/input/a.ts', "import p from 'libphonenumber-js';", 'comes by import(), in input/ alone'],
    [
      'src/infrastructure/http/a.ts',
      "const p = () => import('@zxcvbn-ts/core');",
      'comes by import(), in input/ alone',
    ],
    ...[
      'src/domain/a.ts',
      'src/application/a.ts',
      'src/infrastructure/a.ts',
      'src/presentation/a.tsx',
      'src/composition/a.ts',
    ].flatMap((file) =>
      ['kit', 'server-rules'].map((folder) => [file, `import { x } from '#${folder}/x.ts';`, PATTERN] as const),
    ),
    ['server-rules/a.ts', "import { x } from '#application/api/x.ts';", 'It takes the domain'],
    ['server-rules/a.ts', "import { x } from '#kit/x.ts';", 'It takes the domain'],
    ['kit/a.ts', "import { x } from '#composition/x.ts';", 'It takes domain, server-rules'],
    ['kit/a.ts', "import { x } from '#application/session/x.ts';", 'It takes domain, server-rules'],
    ['provider/src/base/a.ts', "import { x } from '#kit/x.ts';", 'base imports no other wing'],
    ['src/domain/a.ts', "import { b } from './b';", 'import(extensions)'],
    ['provider/src/a.ts', "import express from 'express';", 'It takes domain, application/api'],
    [
      'provider/src/accounts/otps/a.ts',
      "import nodemailer from 'nodemailer';",
      'accounts imports base, project, messages',
    ],
    [
      'provider/src/apps/a.ts',
      "import { x } from '#application/session/x.ts';",
      'apps imports base, project, messages, accounts, domain',
    ],
    ...(['base', 'project', 'messages', 'accounts', 'apps', 'api', 'dev'] as const).flatMap((wing, at, wings) =>
      [...wings, 'operation']
        .slice(at + 1)
        .map(
          (above) =>
            [`provider/src/${wing}/a.ts`, `import { x } from '#provider/${above}/x.ts';`, `${wing} imports`] as const,
        ),
    ),
    [
      'provider/src/base/http/a.ts',
      "const x = () => import('#provider/accounts/users/x.ts');",
      'base imports no other wing',
    ],
    ['provider/src/api/backend/a.ts', "import type { X } from '#provider/dev/control/x.ts';", 'api imports base'],
    ['demo/a.ts', "import { x } from '../src/domain/x.ts';", 'only the built entries'],
    ['demo/a.ts', "import ky from 'ky';", 'only the built entries'],
    ['src/composition/testing.ts', "export * from '#tests/unit/p.ts';", 'the published suites'],
    ['demo/a.ts', "import '../dist/index.js';", 'only the built entries'],
    ['src/presentation/a.tsx', 'element.innerHTML = text;', 'Text never becomes markup'],
    ['src/presentation/a.tsx', "element['outerHTML'] = text;", 'Text never becomes markup'],
    ['src/presentation/a.tsx', 'const x = <b dangerouslySetInnerHTML={{ __html: text }} />;', 'no-danger'],
    ['src/presentation/a.tsx', 'const x = <iframe title="x" srcDoc={text} />;', 'forbid-dom-props'],
    ['src/presentation/a.tsx', 'window.document.write(text);', 'no-deprecated'],
    ['src/presentation/a.tsx', 'eval(text);', 'no-eval'],
    ['src/presentation/a.tsx', 'globalThis.eval(text);', 'no-eval'],
    ['src/presentation/a.tsx', 'const f = new Function(text);', 'no-new-func'],
    ['src/presentation/a.tsx', 'void window.navigator.credentials.get();', 'Only infrastructure/passkeys/'],
    ['src/domain/a.ts', '//\n'.repeat(300), 'max-lines'],
    ['provider/src/a.ts', '//\n'.repeat(300), 'max-lines'],
    ['src/domain/a.ts', "const p = require('ky');", 'no-require-imports'],
  ];

  /** All of them in one project: each wrong file has a name of its own, and the sound ones stand beside them. */
  it('name each wrong import and each dangerous call, with its file, and nothing else', async () => {
    const named = wrong.map(([file, source, problem], index) => {
      const [, path = '', extension = ''] = /^(.*?)(\.\w+)$/.exec(file) ?? [];
      // An override for this very file can be shown by this very name alone.
      const own = file === 'src/composition/testing.ts' ? file : `${path}-${index}${extension}`;
      return { own, source: own === file ? `${sound[file]}\n${source}\n` : `\n${source}\n`, problem };
    });
    const files = { ...sound, ...Object.fromEntries(named.map(({ own, source }) => [own, source])) };
    const { ok, output } = await GATES.lint.check(projectWith(files));
    expect(ok).toBe(false);
    const said = output.split(/\n\s*\n/u);
    for (const { own, source, problem } of named) {
      const about = said.filter((one) => one.includes(`[${own}:`)).join('\n');
      expect(about, source).toContain(problem);
    }
    const about = (file: string): string => said.filter((one) => one.includes(`[${file}:`)).join('\n');
    for (const file of Object.keys(sound).filter((name) => name !== 'src/composition/testing.ts')) {
      expect(about(file), file).not.toMatch(/no-restricted|extensions|max-lines|no-eval/);
    }
    expect(about('src/composition/testing.ts')).not.toContain("p.contract.ts' import");
  });

  soakIt('name a file that does not parse', async () => {
    const { ok, output } = await GATES.lint.check(projectWith({ 'src/domain/a.ts': 'const = ;' }));
    expect(ok).toBe(false);
    expect(output).toContain('src/domain/a.ts:1:7');
  });
});

describe('the folders', () => {
  const filesOf = (folder: string): readonly string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));

  it('of the sources are the layers, and nothing stands beside them', () => {
    const layers = ['application', 'composition', 'domain', 'infrastructure', 'presentation'];
    expect(readdirSync(join(ROOT, 'src')).sort()).toEqual(layers);
  });

  it('of the provider are the wings, with the program beside them', () => {
    const wings = ['accounts', 'api', 'apps', 'base', 'dev', 'messages', 'operation', 'project'];
    expect(readdirSync(join(ROOT, 'provider/src')).sort()).toEqual([...wings, 'main.ts'].sort());
  });

  it('hold TypeScript, but for what Node starts in a thread', () => {
    const scripts = [...filesOf('src'), ...filesOf('provider/src')].filter((name) => /\.[cm]?jsx?$/.test(name));
    expect(scripts.length).toBeGreaterThan(0);
    // A worker imports the first; every version of Node reads the second, those that are refused, too.
    const others = ['accounts/passwords/unix-crypt.mjs', 'base/node-version.mjs'];
    expect(scripts.filter((name) => !name.endsWith('-worker.mjs')).sort()).toEqual(others);
  });

  it('have no barrels: an index.ts is a public surface', () => {
    const surfaces = /^(application\/(ports|api)|(domain|presentation)\/screens|composition)\/index\.ts$/;
    expect(filesOf('src').filter((name) => /(^|\/)index\.tsx?$/.test(name) && !surfaces.test(name))).toEqual([]);
  });
});

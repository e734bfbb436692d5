import { describe, expect, it } from 'vitest';
import { checkLayers } from '../../../scripts/layers.ts';
import { folderWith } from './folder.ts';

const provider = { 'provider/package.json': JSON.stringify({ dependencies: { hono: '1' } }) };
const problemsOf = (files: Readonly<Record<string, string>>): readonly string[] =>
  checkLayers(folderWith({ ...provider, ...files })).problems;

describe('the layer gate', () => {
  it('accepts imports that stay within the table', () => {
    const root = folderWith({
      ...provider,
      'src/domain/a.ts': 'export const a = 1;',
      'src/application/ports/index.ts': "export type { P } from './p.port.ts';",
      'src/application/ports/p.port.ts': "import type { Observable } from 'rxjs'; export type P = Observable<number>;",
      'src/infrastructure/http/k.ts': "import ky from 'ky'; import type { P } from '../../application/ports/index.ts';",
      'src/infrastructure/input/n.ts': "export const load = () => import('libphonenumber-js/min');",
      'src/presentation/W.tsx': "import css from './w.css?inline'; import { useState } from 'react';",
      'src/composition/lazy/container.ts': "import { Container } from 'inversify';",
      'src/composition/testing.ts': "export * from '../../tests/contract/p.contract.ts';",
      'provider/src/main.ts':
        "import 'node:fs'; import { Hono } from 'hono'; import { a } from '../../src/domain/a.ts';",
      'demo/index.ts': "import './demo.css'; import { PorticoUIClient } from 'portico';",
    });
    expect(checkLayers(root)).toEqual({ ok: true, files: 10, problems: [] });
  });

  const wrong: readonly (readonly [string, string, string])[] = [
    ['src/domain/a.ts', "import { of } from 'rxjs';", 'domain may not import rxjs'],
    ['src/domain/a.ts', "import { x } from '../application/x.ts';", 'domain may not import src/application/x.ts'],
    ['src/domain/a.ts', "export * from '../presentation/x.tsx';", 'domain may not import'],
    ['src/domain/a.ts', "import type { X } from '../application/x.ts';", 'domain may not import'],
    ['src/domain/a.ts', "type X = import('../application/x.ts').X;", 'domain may not import'],
    ['src/domain/a.ts', "const x = () => import('../application/x.ts');", 'domain may not import'],
    ['src/domain/a.ts', 'const x = (n: string) => import(n);', 'a computed name'],
    ['src/domain/a.ts', "import fs from 'node:fs';", 'domain may not import node:fs'],
    ['src/application/a.ts', "import ky from 'ky';", 'application may not import ky'],
    ['src/infrastructure/a.ts', "import { x } from '../application/session/x.ts';", 'infrastructure may not import'],
    ['src/infrastructure/a.ts', "import { x } from '../presentation/x.tsx';", 'infrastructure may not import'],
    ['src/presentation/a.tsx', "import { x } from '../infrastructure/x.ts';", 'presentation may not import'],
    ['src/composition/mount.ts', "import { Container } from 'inversify';", 'only composition/lazy/'],
    ['src/composition/index.ts', "export * from '../../tests/contract/p.contract.ts';", 'composition may not import'],
    ['src/infrastructure/input/a.ts', "import p from 'libphonenumber-js';", 'loaded with import()'],
    ['src/infrastructure/http/a.ts', "const p = () => import('@zxcvbn-ts/core');", 'infrastructure/input/ alone'],
    ['src/domain/a.ts', "import { b } from './b';", 'without its extension'],
    ['provider/src/a.ts', "import express from 'express';", 'provider/package.json does not list'],
    ['provider/src/a.ts', "import { x } from '../../src/application/session/x.ts';", 'provider may not import'],
    ['demo/a.ts', "import { x } from '../src/domain/x.ts';", 'only the built entries'],
    ['demo/a.ts', "import ky from 'ky';", 'only the built entries'],
  ];
  it.each(wrong)('names %s: %s', (file, source, problem) => {
    const problems = problemsOf({ [file]: `\n${source}\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${file}:2 `);
    expect(problems[0]).toContain(problem);
  });

  const dangerous: readonly (readonly [string, string])[] = [
    ['element.innerHTML = text;', 'innerHTML'],
    ["element['outerHTML'] = text;", 'outerHTML'],
    ['const x = <b dangerouslySetInnerHTML={{ __html: text }} />;', 'dangerouslySetInnerHTML'],
    ['window.document.write(text);', 'document.write'],
    ['eval(text);', 'eval'],
    ['const f = new Function(text);', 'new Function'],
    ['void navigator.credentials.get();', 'navigator.credentials'],
  ];
  it.each(dangerous)('names %s', (source, name) => {
    expect(problemsOf({ 'src/presentation/a.tsx': source })).toEqual([
      expect.stringContaining(`src/presentation/a.tsx:1 uses ${name}`),
    ]);
  });

  it('takes a comment for a comment', () => {
    expect(problemsOf({ 'src/domain/a.ts': '// never innerHTML, never eval(x)\nexport {};' })).toEqual([]);
  });

  it('lets the credentials adapter call the browser', () => {
    expect(problemsOf({ 'src/infrastructure/credentials/a.ts': 'void navigator.credentials.get();' })).toEqual([]);
  });

  it('names a file of more than 300 lines', () => {
    expect(problemsOf({ 'src/domain/a.ts': '//\n'.repeat(300) })).toEqual([]);
    expect(problemsOf({ 'src/domain/a.ts': '//\n'.repeat(301) })).toEqual([expect.stringContaining('301 lines long')]);
    expect(problemsOf({ 'provider/src/a.ts': '//\n'.repeat(301) })).toHaveLength(1);
  });

  it('names a barrel, a file outside every layer, and a file that does not parse', () => {
    expect(problemsOf({ 'src/domain/index.ts': '' })).toEqual([expect.stringContaining('barrel')]);
    expect(problemsOf({ 'src/a.ts': '' })).toEqual([expect.stringContaining('in no layer')]);
    expect(problemsOf({ 'src/domain/a.js': '' })).toEqual([expect.stringContaining('not TypeScript')]);
    expect(problemsOf({ 'provider/src/a.mjs': '' })).toEqual([expect.stringContaining('not TypeScript')]);
    expect(problemsOf({ 'provider/src/security/a-worker.mjs': '' })).toEqual([]);
    expect(problemsOf({ 'src/domain/a.ts': 'const = ;' })).toEqual([expect.stringContaining('does not parse')]);
  });

  it('fails when it saw no file', () => {
    expect(checkLayers(folderWith({ 'README.md': '' }))).toMatchObject({ ok: false, problems: ['no file was read'] });
  });
});

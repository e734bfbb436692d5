import { describe, expect, it } from 'vitest';
import { didYouMean } from '#domain/widget/meant-name.ts';

const MOUNT = ['elementId', 'config', 'styles', 'callbacks', 'strings', 'language'];

describe('a misspelled name', () => {
  it.each([
    ['stlyes', 'styles'],
    ['conifg', 'config'],
    ['cofnig', 'config'],
    ['alnguage', 'language'],
    ['syles', 'styles'],
    ['element', 'elementId'],
    ['Callbakcs', 'callbacks'],
    ['elxxentId', 'elementId'],
  ])('%s means %s', (name, meant) => expect(didYouMean(name, MOUNT)).toBe(` Did you mean ${meant}?`));

  it.each(['', 'x', 'foo', 'mode', 'toString', 'exxxentId', '😀'])('%j means none', (name) =>
    expect(didYouMean(name, MOUNT)).toBe(''),
  );

  it.each([
    ['nmae', ['name'], 'name'],
    ['STLYES', ['styles'], 'styles'],
    ['roles', ['oles', 'rolesOfAll'], 'rolesOfAll'],
  ])('%s of %j means %s', (name, known, meant) => expect(didYouMean(name, known)).toBe(` Did you mean ${meant}?`));

  it.each([
    ['nxye', ['name']],
    ['id', ['at']],
    ['idid', ['id']],
    ['abcdef', ['badcfe']],
  ])('%s of %j means none', (name, known) => expect(didYouMean(name, known)).toBe(''));
});

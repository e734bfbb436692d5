import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../../src/domain/widget/meant-name.ts';

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
});

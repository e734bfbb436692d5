import { describe, expect, it } from 'vitest';
import { didYouMean, meantName } from '../../../src/domain/widget/meant-name.ts';

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
  ])('%s means %s', (name, meant) => expect(meantName(name, MOUNT)).toBe(meant));

  it.each(['', 'x', 'foo', 'mode', 'toString', '😀'])('%j means none', (name) => {
    expect(meantName(name, MOUNT)).toBe('');
    expect(didYouMean(name, MOUNT)).toBe('');
  });

  it('is asked for', () => expect(didYouMean('stlyes', MOUNT)).toBe(' Did you mean styles?'));
});

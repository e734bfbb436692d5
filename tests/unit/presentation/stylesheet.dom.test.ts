import { afterEach, describe, expect, it } from 'vitest';
import { applyTheme } from '#presentation/theme/apply-theme.ts';
import { adoptStyles, followRoot } from '#presentation/theme/stylesheet.ts';

afterEach(() => document.body.replaceChildren());

describe('adoptStyles', () => {
  it('gives the document one sheet however many ask, and takes it back with the last', () => {
    const before = document.adoptedStyleSheets.length;
    const first = adoptStyles(document);
    const second = adoptStyles(document);
    expect(document.adoptedStyleSheets).toHaveLength(before + 1);
    first();
    first();
    expect(document.adoptedStyleSheets).toHaveLength(before + 1);
    second();
    expect(document.adoptedStyleSheets).toHaveLength(before);
  });

  it('gives each shadow root its own, and leaves the host’s sheets alone', () => {
    const root = document.createElement('div').attachShadow({ mode: 'open' });
    const hosts = new CSSStyleSheet();
    root.adoptedStyleSheets = [hosts];
    const drop = adoptStyles(root);
    expect(root.adoptedStyleSheets).toHaveLength(2);
    drop();
    expect(root.adoptedStyleSheets).toEqual([hosts]);
  });
});

describe('followRoot', () => {
  it('brings the sheets back that the browser takes from a shadow root in a new document', () => {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    const element = root.appendChild(document.createElement('div'));
    let moves = 0;
    const end = followRoot(root, element, () => (moves += 1));
    const { length } = root.adoptedStyleSheets;
    // Otherwise a grid or flex box of the page would have one more cell or gap.
    expect(root.querySelector<HTMLElement>('portico-place')?.hidden).toBe(true);
    document.body.append(host);
    expect(moves).toBe(0);
    host.remove();
    // As browsers do when a shadow root comes into another document.
    root.adoptedStyleSheets = [];
    document.body.append(host);
    expect(root.adoptedStyleSheets).toHaveLength(length);
    expect(moves).toBe(1);
    end();
    expect(root.adoptedStyleSheets).toEqual([]);
    expect(root.childElementCount).toBe(1);
  });
});

describe('applyTheme', () => {
  const warnings: string[] = [];
  const apply = (element: HTMLElement, styles: unknown): void =>
    applyTheme(
      element,
      styles as never,
      (message) => void warnings.push(message),
      () => {},
    );

  it('sets custom properties, removes outdated ones, and changes nothing else', () => {
    const element = document.createElement('div');
    element.style.setProperty('margin-top', '3px');
    apply(element, { colors: { primary: '#123456' }, container: { backgroundColor: '#000000' } });
    expect(element.style.getPropertyValue('--portico-colors-primary')).toBe('#123456');
    expect(element.getAttribute('data-portico-scheme')).toBe('dark');
    apply(element, { inputs: { borderRadius: '9px' } });
    expect(element.style.getPropertyValue('--portico-colors-primary')).toBe('');
    expect(element.style.getPropertyValue('--portico-inputs-border-radius')).toBe('9px');
    expect(element.hasAttribute('data-portico-scheme')).toBe(false);
    apply(element, undefined);
    expect(Array.from(element.style)).toEqual(['margin-top']);
    expect(warnings).toEqual([]);
  });
});

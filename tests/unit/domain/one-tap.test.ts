import { describe, expect, it } from 'vitest';
import {
  INITIAL_ONE_TAP_HEIGHT,
  mayTryElsewhere,
  observeHeight,
  ONE_TAP_FAULTS,
  oneTapFault,
  oneTapPlaces,
  settlingTime,
} from '#domain/social/one-tap.ts';
import type { OneTapPosition } from '#domain/social/one-tap-positions.ts';

const places = (position: string, byBrowser: boolean, hasPlace = true): string =>
  oneTapPlaces(position as OneTapPosition, { byBrowser, hasPlace }).join(' ');

describe('the position of One Tap', () => {
  it('is in the widget where the page holds the prompt', () => {
    expect(places('embedded', false)).toBe('embedded');
    expect(places('embeddedOnly', false)).toBe('embedded');
    expect(places('forceLegacyEmbedded', false)).toBe('embedded');
    expect(places('floating', false)).toBe('floating');
    expect(places('floatingOrEmbedded', false)).toBe('floating embedded');
  });

  it('is over the page where the browser draws it, unless it may stand in the widget only', () => {
    expect(places('embedded', true)).toBe('floating');
    expect(places('embeddedOnly', true)).toBe('');
    expect(places('forceLegacyEmbedded', true)).toBe('embedded');
    expect(places('floating', true)).toBe('floating');
    expect(places('floatingOrEmbedded', true)).toBe('floating');
  });

  it('is over the page, or nowhere, where the widget has no place that Google finds', () => {
    const without = ['embedded', 'embeddedOnly', 'forceLegacyEmbedded', 'floating', 'floatingOrEmbedded'].map(
      (position) => places(position, false, false),
    );
    expect(without).toEqual(['floating', '', 'floating', 'floating', 'floating']);
  });

  it('takes a position that there is not for embedded', () => {
    expect(places('__proto__', false)).toBe('embedded');
  });

  it('is tried elsewhere only without a fault of the page', () => {
    expect(['not_displayed', 'skipped', 'unknown', ...ONE_TAP_FAULTS, 'opt_out'].filter(mayTryElsewhere)).toEqual([
      'not_displayed',
      'skipped',
      'unknown',
    ]);
  });
});

describe('the height of its place', () => {
  it('follows the first two measurements at once, and later ones when they have lasted 100 ms', () => {
    const first = observeHeight(INITIAL_ONE_TAP_HEIGHT, 120);
    const second = observeHeight(first, 380.4);
    expect([INITIAL_ONE_TAP_HEIGHT, first, second].map(settlingTime)).toEqual([0, 0, 100]);
    expect([first.height, second.height]).toEqual([120, 381]);
  });

  it('is at least 47 px', () => {
    expect([INITIAL_ONE_TAP_HEIGHT.height, observeHeight(INITIAL_ONE_TAP_HEIGHT, 3).height]).toEqual([47, 47]);
  });
});

describe('the messages for developers', () => {
  it('is about the faults of the specification, and nothing else', () => {
    expect(ONE_TAP_FAULTS.map(oneTapFault)).toEqual(ONE_TAP_FAULTS);
    expect(['opt_out', 'skipped', 'toString', ''].map(oneTapFault)).toEqual([null, null, null, null]);
  });
});

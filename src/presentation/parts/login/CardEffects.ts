import { useEffect } from 'react';
import { onSign } from '../../first-use.ts';
import type { Parts } from '../parts.ts';
import { adoptSheet } from './sheet.ts';
import { useGentleHeight } from './useGentleHeight.ts';

/** Adds the styles of hovered and disabled controls at the first interaction, and the animated height of the card. */
export const CardEffects: Parts['login']['CardEffects'] = ({ card, screen }) => {
  useGentleHeight(card, screen);
  useEffect(() => {
    const widget = card.current?.closest<HTMLElement>('[data-portico]');
    if (!widget) return undefined;
    // The widget may have been used while this code was loading.
    if (widget.matches(':hover, :focus-within')) adoptSheet();
    const ending = new AbortController();
    const use = (): void => {
      ending.abort();
      adoptSheet();
    };
    onSign(widget, use, ending.signal);
    return () => ending.abort();
  }, [card]);
  return null;
};

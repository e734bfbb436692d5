import { useEffect } from 'react';
import { onSign } from '../../first-use.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { Parts } from '../parts.ts';
import { adoptSheet } from './sheet.ts';
import { useGentleHeight } from './useGentleHeight.ts';

/** The looks of what is pointed at or off, from the first sign of a use on; and in a preset's look, the gentle height of the card. */
export const CardEffects: Parts['login']['CardEffects'] = ({ card, screen }) => {
  const { styles } = useWidget();
  useGentleHeight(card, screen, styles?.preset !== undefined);
  useEffect(() => {
    const widget = card.current?.closest<HTMLElement>('[data-portico]');
    if (!widget) return undefined;
    // It may have been used while this code was on its way.
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

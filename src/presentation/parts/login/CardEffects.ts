import { useEffect, useRef } from 'react';
import { onSign } from '../../first-use.ts';
import { useBeforePaint } from '../../hooks/before-paint.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import type { Parts } from '../parts.ts';
import { keepPresses } from './kept-press.ts';
import { adoptSheet } from './sheet.ts';
import { useGentleHeight } from './useGentleHeight.ts';

/**
 * At the first interaction, adds the styles of hovered and disabled controls, the animated height of the card, the direction from the
 * host's styles and the language, and presses that survive a move of their button. No first screen needs them, and before the first paint
 * they would style the page twice.
 */
export const CardEffects: Parts['login']['CardEffects'] = ({ card, screen }) => {
  const { language, moves } = useWidget();
  useGentleHeight(card, screen);
  useEffect(() => {
    const element = card.current;
    if (element) element.setAttribute('data-dir', getComputedStyle(element).direction);
  }, [card, language, moves]);
  const keeping = useRef<AbortController>(null);
  const keep = (): void => {
    if (card.current === null || keeping.current !== null) return;
    keeping.current = new AbortController();
    keepPresses(card.current, keeping.current.signal);
  };
  useBeforePaint(() => {
    keep();
    return () => {
      keeping.current?.abort();
      keeping.current = null;
    };
  }, [card, moves]);
  // If the card is rendered with this, React fills its ref later.
  useEffect(keep);
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

import { useState } from 'react';
import { useWidget } from './useWidget.ts';

/**
 * Copies a text, and says so with `said`. A browser that refuses leaves the text to be selected.
 *
 * @returns whether something was copied, and the function that copies
 */
export function useCopy(said: string): readonly [copied: boolean, copy: (text: string) => void] {
  const { announce } = useWidget();
  const [copied, setCopied] = useState(false);
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    announce(said);
  };
  return [copied, (text) => void copy(text)];
}

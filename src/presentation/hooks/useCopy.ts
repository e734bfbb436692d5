import { useState } from 'react';
import { useWidget } from './useWidget.ts';

/**
 * Copies a text and announces it with `said`. If the browser refuses, the user can select the text.
 *
 * @returns whether a text was copied, and the copy function
 */
export function useCopy(announcement: string): readonly [copied: boolean, copy: (text: string) => void] {
  const { announce } = useWidget();
  const [copied, setCopied] = useState(false);
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    announce(announcement);
  };
  return [copied, (text) => void copy(text)];
}

import type { KeyboardEvent } from 'react';

/** Moves along a tab bar and chooses the new tab: arrow keys in reading direction, wrapping at the ends; Home and End. */
export function moveTab(event: KeyboardEvent<HTMLElement>): void {
  const tab = event.currentTarget;
  const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
  const { length } = tabs;
  const step = getComputedStyle(tab).direction === 'rtl' ? -1 : 1;
  const around = (by: number): number => (tabs.indexOf(tab) + by + length) % length;
  const to = { ArrowRight: around(step), ArrowLeft: around(-step), Home: 0, End: length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tabs[to]?.focus();
  tabs[to]?.click();
}

import { el } from './dom.ts';

const FLIGHT_MS = 700;
const LANDING_MS = 250;

/** Whether the page is visible, and the visitor allows motion. */
const moves = (): boolean => !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches;

const middleOf = (element: Element): { readonly x: number; readonly y: number } | null => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return width * height === 0 ? null : { x: left + width / 2, y: top + Math.min(height / 2, 160) };
};

/** Animates a letter from one place of the page to another, where the message then appears. */
export function fly(from: Element, to: Element, appears: Element): void {
  const start = middleOf(from);
  const end = middleOf(to);
  if (!moves() || !start || !end) return;
  const letter = el('div', { class: 'letter', set: { 'aria-hidden': 'true' } });
  document.body.append(letter);
  const at = (x: number, y: number, scale: number) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;
  const peak = Math.min(start.y, end.y) - 48;
  const flight = letter.animate(
    [
      { transform: at(start.x, start.y, 0.4), opacity: 0 },
      {
        transform: at(start.x + (end.x - start.x) * 0.2, start.y + (peak - start.y) * 0.6, 1.1),
        opacity: 1,
        offset: 0.3,
      },
      { transform: at(end.x, end.y, 0.5), opacity: 0.4 },
    ],
    { duration: FLIGHT_MS, easing: 'cubic-bezier(0.45, 0, 0.25, 1)' },
  );
  flight.addEventListener('finish', () => letter.remove());
  flight.addEventListener('cancel', () => letter.remove());
  appears.animate([{ opacity: 0, transform: 'translateY(-8px)' }, {}], {
    duration: LANDING_MS,
    delay: FLIGHT_MS - LANDING_MS,
    fill: 'backwards',
    easing: 'ease-out',
  });
}

import type { Ref } from 'react';
import { flagOf } from './flag.ts';
import { Icon } from './Icon.tsx';

interface Props {
  readonly ref: Ref<HTMLButtonElement>;
  readonly country: string;
  /** The calling code; empty until it is known. */
  readonly code: string;
  readonly label: string;
  readonly open: boolean;
  /** With what was typed on the button, as on a native list. */
  readonly onOpen: (search: string) => void;
  readonly onClose: () => void;
}

/** Shows the chosen country, and opens the list of them. */
export function CountryButton({ ref, country, code, label, open, onOpen, onClose }: Props) {
  return (
    <button
      ref={ref}
      type="button"
      data-part="country"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={label}
      onClick={() => (open ? onClose() : onOpen(''))}
      onKeyDown={(event) => {
        const { key } = event;
        const arrow = key === 'ArrowDown' || key === 'ArrowUp';
        const typed = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (!arrow && !typed) return;
        event.preventDefault();
        onOpen(typed ? key : '');
      }}
    >
      <span data-part="flag" aria-hidden="true">
        {flagOf(country)}
      </span>
      <span>{code && `+${code}`}</span>
      <Icon name="expand" />
    </button>
  );
}

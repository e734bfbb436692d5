const PATHS = {
  edit: 'M4 20h4L19 9l-4-4L4 16v4m9-13 4 4',
  save: 'm5 12.5 4.5 4.5L19 7.5',
  delete: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13m-7 4v5m4-5v5',
} as const;

/** An icon of the passkey screens, hidden from screen readers. */
export function RowIcon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

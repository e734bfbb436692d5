const PATHS = {
  back: 'M19 12H5m6-7-7 7 7 7',
  tick: 'm5 12.5 4.5 4.5L19 7.5',
  alert: 'M12 7v6m0 4v.01M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19',
  spinner: 'M12 3a9 9 0 1 1-9 9',
  expand: 'm6 9 6 6 6-6',
  passkey: 'M4 8.5a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0m7.7 3.2L20 20m-3-3 2.5-2.5',
} as const;

/** An icon in the text's colour, hidden from screen readers. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

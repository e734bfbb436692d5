/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- no native list has a search of its own, and the keys are the search field's */
import { memo } from 'react';
import type { Country } from './countries.ts';
import { flagOf } from './flag.ts';

interface Props {
  readonly id: string;
  readonly one: Country;
  readonly active: boolean;
  readonly isSelected: boolean;
  readonly onChoose: (country: string) => void;
}

/** One line of the list. Memoized, so that an arrow key renders two lines instead of two hundred. */
export const CountryOption = memo(function CountryOption({
  id,
  one: { country, name, code },
  active,
  isSelected,
  onChoose,
}: Props) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      data-part="country-option"
      data-state={active ? 'active' : 'idle'}
      aria-selected={isSelected}
      // Keeps the focus in the search field, which handles the keys.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChoose(country)}
    >
      <span data-part="flag" aria-hidden="true">
        {flagOf(country)}
      </span>
      <span>{name}</span>
      <bdi dir="ltr" translate="no">
        {` +${code}`}
      </bdi>
    </div>
  );
});

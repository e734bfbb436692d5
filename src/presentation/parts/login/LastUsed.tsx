import { useInsertionEffect } from 'react';
import css from '../../theme/parts/last-used.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';
import { useWidget } from '../../hooks/useWidget.ts';

/** It has a separate sheet, so that a page with a known method does not match the form again with the sheet of the whole login. */
const adoptMark = (): void => addStyles(css);

/** Marks the last used login method, if there are several. */
export function LastUsed() {
  const { t } = useWidget();
  useInsertionEffect(adoptMark, []);
  return <small data-part="last-used">{` ${t('main.lastUsed')}`}</small>;
}

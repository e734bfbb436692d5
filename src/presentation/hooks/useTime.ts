import { useWidget } from './useWidget.ts';

/** Formats times of the server (RFC 3339) in the person's language. Invalid times are shown unchanged. */
export function useTime(dateStyle: 'full' | 'medium'): (text: string) => string {
  const { language } = useWidget();
  const time = new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short' });
  return (text) => (Number.isNaN(Date.parse(text)) ? text : time.format(new Date(text)));
}

import { meterOf, type Score } from '#domain/passwords/password-strength.ts';
import { useWidget } from '../../hooks/useWidget.ts';

const SEGMENTS = [1, 2, 3, 4] as const;

interface Props {
  /** Null while the score is unknown: then no segment is filled. */
  readonly score: Score | null;
  /** The score is being determined. */
  readonly checking: boolean;
}

/** The score of zxcvbn as four segments and as a word (section 5). */
export function StrengthMeter({ score, checking }: Props) {
  const { t } = useWidget();
  const { filled, tone } = score === null ? { filled: 0, tone: 'none' } : meterOf(score);
  const word = score !== null ? t(`strength.${score}`) : checking ? t('strength.checking') : '';
  return (
    <>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native meter cannot be drawn as four segments
        role="meter"
        // Otherwise a field that is described by it would be read as "0" while it is empty.
        aria-hidden={word === '' || undefined}
        data-part="meter"
        data-tone={tone}
        aria-label={t('strength.meter')}
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={score ?? 0}
        aria-valuetext={word || undefined}
      >
        {SEGMENTS.map((segment) => (
          <span key={segment} data-part="segment" data-state={segment <= filled ? 'filled' : 'empty'} />
        ))}
      </div>
      <p data-part="grade" aria-hidden="true">
        {word}
      </p>
    </>
  );
}

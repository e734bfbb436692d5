import { type FeedbackKey, type StringOverrides, overlaid } from '../../messages/catalogue.ts';
import { feedback } from '../../messages/en/feedback.ts';

/** A sentence of the server's feedback in the widget's language if it is known, else unchanged. */
export function feedbackText(sentence: string, overrides: StringOverrides | undefined): string {
  const known = Object.entries(feedback).find(([, english]) => english === sentence.trim());
  return known ? (overlaid(known[0] as FeedbackKey, overrides) ?? sentence) : sentence;
}

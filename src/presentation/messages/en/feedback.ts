/**
 * A server's feedback on a weak password: the exact warnings and suggestions of zxcvbn. They are looked up by their English text,
 * because the wire has no keys for them.
 */
export const feedback = {
  'feedback.straightRow': 'Straight rows of keys on your keyboard are easy to guess.',
  'feedback.keyPattern': 'Short keyboard patterns are easy to guess.',
  'feedback.simpleRepeat': 'Repeated characters like "aaa" are easy to guess.',
  'feedback.extendedRepeat': 'Repeated character patterns like "abcabcabc" are easy to guess.',
  'feedback.sequences': 'Common character sequences like "abc" are easy to guess.',
  'feedback.recentYears': 'Recent years are easy to guess.',
  'feedback.dates': 'Dates are easy to guess.',
  'feedback.topTen': 'This is a heavily used password.',
  'feedback.topHundred': 'This is a frequently used password.',
  'feedback.common': 'This is a commonly used password.',
  'feedback.similarToCommon': 'This is similar to a commonly used password.',
  'feedback.wordByItself': 'Single words are easy to guess.',
  'feedback.namesByThemselves': 'Single names or surnames are easy to guess.',
  'feedback.commonNames': 'Common names and surnames are easy to guess.',
  'feedback.userInputs': 'There should not be any personal or page related data.',
  'feedback.pwned': 'Your password was exposed by a data breach on the Internet.',
  'feedback.avoidL33t': "Avoid predictable letter substitutions like '@' for 'a'.",
  'feedback.avoidReversed': 'Avoid reversed spellings of common words.',
  'feedback.notAllUppercase': 'Capitalize some, but not all letters.',
  'feedback.capitalizeMore': 'Capitalize more than the first letter.',
  'feedback.avoidDates': 'Avoid dates and years that are associated with you.',
  'feedback.avoidRecentYears': 'Avoid recent years.',
  'feedback.avoidOwnYears': 'Avoid years that are associated with you.',
  'feedback.avoidSequences': 'Avoid common character sequences.',
  'feedback.avoidRepeats': 'Avoid repeated words and characters.',
  'feedback.longerPatterns': 'Use longer keyboard patterns and change typing direction multiple times.',
  'feedback.anotherWord': 'Add more words that are less common.',
  'feedback.useWords': 'Use multiple words, but avoid common phrases.',
  'feedback.noNeed': 'You can create strong passwords without using symbols, numbers, or uppercase letters.',
  'feedback.changeElsewhere': 'If you use this password elsewhere, you should change it.',
  'feedback.longer': 'Use at least 8 characters.',
} as const;

/** The displayed English, if the server's words have straight quotation marks or are hard to understand. */
export const feedbackForPeople: Partial<Record<keyof typeof feedback, string>> = {
  'feedback.simpleRepeat': 'Repeated characters like “aaa” are easy to guess.',
  'feedback.extendedRepeat': 'Repeated character patterns like “abcabcabc” are easy to guess.',
  'feedback.sequences': 'Common character sequences like “abc” are easy to guess.',
  'feedback.topHundred': 'Many people use this password.',
  'feedback.userInputs': 'Do not use your name, your address or the name of this site.',
  'feedback.avoidL33t': 'Avoid predictable letter substitutions like “@” for “a”.',
};

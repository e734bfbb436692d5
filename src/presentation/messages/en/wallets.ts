/** The texts of the wallet screens. */
export const wallets = {
  'wallets.continue': 'Continue with {wallet}',
  'wallets.ethereum': 'Continue with other Ethereum wallet',
  'wallets.solana': 'Continue with other Solana wallet',
  'wallets.none': 'No wallet was found in this browser.',
  'cryptoConnect.title': 'Connecting to your wallet...',
  'cryptoConnect.text': 'Your wallet asks you for permission. If you do not see it, open the wallet yourself.',
  'cryptoSignMessage.title': 'Completing signature request...',
  'cryptoSignMessage.text': 'Sign the message that your wallet shows. That costs nothing and moves nothing.',
  'cryptoConfirmation.title': 'Success!',
  'cryptoConfirmation.text': 'You have successfully connected your wallet.',
  'cryptoError.title': 'Looks like there was an error!',
  'cryptoError.text': 'The wallet did not connect or did not sign. Nothing was lost.',
  'cryptoError.again': 'Try again',
  'cryptoDeclined.text':
    'You declined in your wallet. Nothing was connected or signed. You can try again, or go back and log in another way.',
  'cryptoOther.title': 'Continue with other wallet',
  'cryptoOther.none': 'No other wallet was found in this browser.',
  'cryptoOther.setup': 'Set up a new crypto wallet',
  'cryptoSetup.title': 'Set up a new crypto wallet',
  'cryptoSetup.text': 'Install one of these, then come back to this page.',
  'cryptoSetup.download': 'Download {wallet}',
} as const;

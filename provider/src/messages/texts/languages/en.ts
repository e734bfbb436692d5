import type { MessageTexts } from '../message-texts.ts';

export const en: MessageTexts = {
  passcode: {
    subject: '{code} is your {project} passcode',
    lead: 'Your passcode for {project} is {code}.',
    intro: {
      login_passcode: 'Enter this code to log in to {project}.',
      signup_passcode: 'Enter this code to sign up for {project}.',
      confirm_passcode: 'Enter this code to add this address to your account at {project}.',
    },
    short: 'Your {project} passcode is {code}.',
    warning: 'Do not give this code to anyone.',
  },
  links: {
    login_link: {
      subject: 'Your {project} login link',
      lead: 'Open this link to log in to {project}:',
      heading: 'Log in to {project}',
      intro: 'Press the button to log in.',
      button: 'Log in',
    },
    signup_link: {
      subject: 'Your {project} sign-up link',
      lead: 'Open this link to sign up for {project}:',
      heading: 'Sign up for {project}',
      intro: 'Press the button to create your account.',
      button: 'Sign up',
    },
    invite_link: {
      subject: 'You are invited to {project}',
      lead: 'Open this link to accept your invitation to {project}:',
      heading: 'You are invited to {project}',
      intro: 'Press the button to accept the invitation.',
      button: 'Accept the invitation',
    },
    confirm_link: {
      subject: 'Confirm your email address for {project}',
      lead: 'Open this link to add this address to your account at {project}:',
      heading: 'Confirm your email address',
      intro: 'Press the button to add this address to your account at {project}.',
      button: 'Confirm the address',
    },
    reset_password: {
      subject: 'Set a new password for {project}',
      lead: 'Open this link to set a new password for {project}, within {duration}:',
      heading: 'Set a new password',
      intro: 'Press the button to choose a new password for {project}.',
      button: 'Set a new password',
    },
  },
  refusal: {
    subject: 'No account at {project} with this address',
    heading: 'No account with this address',
    intro:
      'Somebody, perhaps you, wanted to log in to {project} with this address. There is no account with it, and none can be made with it.',
    advice: 'If you have an account, log in with its address. Otherwise ask {project} for an invitation.',
  },
  instead: {
    lead: 'Or log in without a password, within {duration}:',
    label: 'Log in without a password',
    validity: 'Each works once.',
  },
  validity: 'It works once, within {duration}.',
  ignore: 'If you did not ask for it, ignore this message.',
  ignoreReset: 'If you did not ask for it, ignore this message. Your password has not changed.',
  ignoreInvitation: 'If you did not expect it, ignore this message.',
  requestNote: 'Requested on {time} with {device}.',
  askedAt: 'Requested on {time}.',
  copyLink: 'If the button does not work, copy this address into your browser:',
};

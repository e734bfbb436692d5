/**
 * The words of suggested passphrases: words of three to five letters from the EFF's long list for passphrases, without words about illness,
 * violence and brands.
 *
 * EFF Dice-Generated Passphrases, https://www.eff.org/dice, by the Electronic Frontier Foundation, shortened, under the Creative Commons
 * Attribution licence 3.0 US, https://creativecommons.org/licenses/by/3.0/us/.
 */
export const PASSPHRASE_WORDS: readonly string[] = `
  abide able acid acorn acre acts afar affix afoot aged agent agile aging agony ahead ahoy aide aim ajar alarm album
  alias alibi alike alive aloe aloft aloha alone aloof alto amaze amber amid amigo amino amiss among ample amply
  anew anger anime ankle annex antsy anvil aorta apple apply april apron aptly aqua area arena argue arise armed
  army aroma arose array art ashen ashes ashy aside askew atlas atom atop attic audio avert avid avoid await award
  aware awoke awry axis bacon badge badly bagel baggy baked balmy banjo barge barn basil basin basis batch bath
  baton bats blade blah blame blank blast bleak bleep blend bless blimp bling blip blitz blob blog blot bluff blunt
  blurb blurt blush boat body bogus boil bolt boney bonus bony book booth boots borax boss botch both boxer boxy
  briar bribe brick bride brim bring brink brook broom brunt brush brute buddy buggy bulb bulge bulk bunch bunny
  bunt bust buzz cable cache cacti caddy cadet cage cake calm cameo canal candy cane canon cape carat cargo carol
  carry carve case cash catty cause cedar chafe chain chair chant chaos chaps charm chase cheek cheer chef chess
  chest chewy chief chili chill chimp chip chive chomp chop chuck chug chump chunk churn chute cider cinch city
  civic civil clad claim clamp clang clash clasp class claw clay clean clear cleat cleft clerk cling clip cloak
  clock clone cloud clump coach coat cocoa cod coil coke cola cold colt come comfy comic comma conch cone cope copy
  coral cork corny cost couch cough could cover cozy cramp crane crank crate crave crazy creed creme crepe crept
  crib cried crier crimp croak crock croon crop cross crowd crown crumb crust crux cube cupid cure curly curry curse
  curve curvy cushy cusp cut cycle dab dad daily dairy daisy dance dandy dares darn dart dash data dawn dealt dean
  debug decaf decal deck decoy deed defog defy deity delay delta denim dense deny depth derby deuce dial diary dice
  dig dill dime dimly diner dingo dingy dish disk ditch ditto ditzy dizzy dock dodge doily doing dole dolly donor
  donut doozy dose dove down dowry doze drab draw dress drew dried drier drift drone drool droop drove drum dry
  ducky duct dude duke duly duo dupe dusk dust duty duvet dwarf eagle early easel eaten eats ebony echo edge edgy
  eel eject elbow elf elite elk elm elope elude elves ember emcee emit emote empty emu ended envoy envy epic equal
  error essay ether evade even evict evoke exact exert exes exile exit expel fable fade fall false fame fancy fang
  fax feast feed feel femur fence ferry fetch fever fiber fifth fifty film finch finer fit five flaky flame flap
  flask fled flick flier fling flint flip flirt float flock flop floss flyer foam foe fog foil folic folk font food
  fool fox foyer frail frame frays fresh fried frill frisk from front froth frown fruit gaffe gains gala game gamma
  gap gas gauze gave gawk gear gecko geek gem genre gents getup giant giddy gift gills given giver gizmo glade glare
  glass glory gloss glove glue gnat goal goes going golf gong good gooey goofy gown grab grain grant grape graph
  grasp grass gravy gray green grew grid grief grill grip grit groom grout grove growl grub grunt guide guise gulf
  gully gulp gummy guru gush gusto gusty guts guy had haiku half halt hanky happy hardy hash haste hasty haunt haven
  hazy heap heat heave hedge hefty hence henna herbs hertz huff hug hula hulk hull human humid hurry hush hut ice
  icing icky icon icy idiom idly igloo image imply irate irk iron issue item ivory ivy jab jam jaunt java jawed jaws
  jazz jeep jelly jet jiffy job jolly jolt jot judge judo juice juicy july jumbo jump june juror jury kabob karma
  kebab keep keg kelp kept kick kiln kilt king kite kitty kiwi knee knelt knoll koala kooky kudos ladle lair lake
  lance lanky lapel lard large lark lash lasso last latch late lazy left legal lemon lend lens lent level lid life
  lilac lily limb limes limit line lingo lint lion lip lisp list lived liver lucid lunar lung lure lying macaw mace
  magma maker malt mango manly manor many map march marry math mauve maybe mocha molar mold moody mop morse mossy
  most motor motto mouse mousy mouth move movie mower much mug mulch mule mummy mural mushy music musky musty mute
  mutt myth nacho nail name nappy navy neon nerd nest net never next niece nifty ninja ninth nutty nylon oaf oak
  oasis oat oboe ocean ogle oil oink okay old olive omega omen omit onion only onset onto onyx oops ooze oozy opal
  open opt other otter ouch ought ounce outer oval oven owl ozone paced pager palm panda pants paper parka party
  pasta pasty path patio paver payee payer pecan pelt penny pep perch perky peso petal petri petty photo plank plant
  plaza pleat plod plop plot plow ploy pluck plug plus pod poem poet pogo poise poker polar polka polo pond pony
  poppy pork posh pouch pound pout power pox press pried primp print prior prism prize probe prone prong props proud
  proxy prune pull pulp pulse puma punch punk pupil puppy purge purr purse quack quail quake qualm query quiet quill
  quilt quirk quit quote race rack radar radio raft rake rally ramp ranch rare raven reach ream rebel relax relay
  relic rely remix reply reps rerun reset retry reuse rhyme rice ride rift rigid rigor rind rink rinse rise risk
  ritzy rival roast robe robin rocky roman romp rope rosy rover royal ruby rug rule rumor runt rural ruse rush rust
  sadly saga sage said saint sake salad salon salt same sandy santa sash satin saucy sauna saved savor say scale
  scant scarf scion scone scoop scope scrap scuba scuff self send sepia serve setup shack shaft shaky shale shape
  share shawl shed sheep sheet shelf shell shine shiny ship shirt shock shone shore shout shove shown showy shrug
  shush shut shy sift silk silly silo silt sip siren sixth size skied skies skirt skype slab slang slate slaw sled
  sleek sleep sleet slept slick slip slot slug slurp slush small smell smile smirk smith smock snack snap snare
  sneak sniff snore snout snowy speak speed spent spill spilt spiny spool spoon spore spout spray spree sprig spry
  spud spur squad squid stack staff stage stamp stand stash state stays steam steed steep stem step stew stick stilt
  stir stock stoic stoke stole stomp stony stood stool stoop storm stout stove straw stray strep strum strut stuck
  study stump stunt suave such suds sugar sushi swab swan swarm sway swear sweat sweep swell swept swipe swirl swoop
  swung syrup tabby taco tag take tall talon tamer taps task taste tasty thank that thaw theme these thing think
  thorn those thud thumb thus tiara tidal tidy tiger tile till tilt timid tint tiny trace track trade train traps
  trash tray treat tree trend trial tried trio trout truce truck truth try tug tulip turf tusk tutor tutu tux tweak
  tweed tweet twice twig twine twins twirl tying ultra uncle unify union unit unlit untie until unwed unzip upon
  upper urban usage used user usher usual utter valid value veal venue venus verse very vest vibes video viral visa
  visor vista vixen voice void voter vowed vowel wafer waged wager wages wagon wake walk waltz wand wasp watch water
  wavy wharf wheat whiff whole why wick widen width wife wilt wince wind wing wipe wired wiry wise wish wispy wok
  wolf woof wool woozy word work worry woven wow wrist yam yard yarn yeah yeast yelp yield yin yodel yoga yoyo yummy
  zap zebra zen zero zesty zippy zips zone zoom`
  .trim()
  .split(/\s+/u);

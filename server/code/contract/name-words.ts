const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Capitalized words before "class" that are not names, lower case. */
export const noClassNames = words(
  'a an the this that each every any new base abstract parent child main data helper utility generic simple python java javascript ' +
    'typescript kotlin swift ruby rust go golang php css html c cpp es6 oop react vue angular node create write implement build generate ' +
    'scaffold make add define use using in with for and or from to into if when then it its of on as by world first second third one two ' +
    'eine einer die der das ein une la le les un una el los each component interface type struct enum next client server django flask',
);

/** Words that begin the next sentence and are not names, lower case: "Write a class. In it …" */
export const sentenceWords = words(
  'a an the this that it in with use for and or if when then each as to from is has',
);

/** Words after "function", "field" and the like that are not names, lower case. */
export const noNames = words(
  'that to for which in with of and or is are as from on by it its this the a an should must will can returning taking using named called ' +
    'when if so at into per below above returns takes does not only ' +
    'also has have where who all be was were but then than there they you i we your our application accepting accepts reads read that’s like ' +
    'pointer die der das und mit für zum zur qui que pour avec et dans una ' +
    'un el la los las y en con para inside without take need needs function functions method methods query queries mutation mutations ' +
    'action actions endpoint endpoints table tables visibility argument arguments field fields column columns helper helpers hook hooks via ' +
    'during after before return through per between while based it’s work works use uses such validator validators ',
);

/** Words that are names only in a list of fields, lower case. */
export const listedOnly = words(
  'name names script scripts button buttons form forms library module modules page app server tool row rows object objects key keys string ' +
    'strings layer workflow workflows url id list lists bar data input inputs output result results error errors type types value values number file files body component components schema test tests class call calls signature definition code handler handlers',
);

/** Words that describe functions and fields and are not names, lower case. */
export const describing = words(
  'public private static protected helper utility async sync synchronous asynchronous pure input output required optional first second last ' +
    'new old own simple small basic empty common other more these those all both following necessary appropriate instance class string array ' +
    'math crud internal external http unit integration read write request response query create update user admin error different various ' +
    'several clean clear short long safe typed reusable main extra additional useful important',
);

/** Keywords of languages: no function, class or field of a request has such a name. */
export const grammarWords = words(
  'class include function import export def return if else elif for while do switch break continue new this super const let var try catch ' +
    'finally throw throws public private protected static void interface extends implements package struct enum impl trait fn func pub use ' +
    'mod async await yield in is not and or lambda pass raise except global nonlocal typeof instanceof require namespace using null None ' +
    'true false True False self',
);

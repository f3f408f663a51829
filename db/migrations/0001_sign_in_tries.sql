CREATE TABLE "sign_in_tries" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"tries" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_tries_ends" ON "sign_in_tries" USING btree ("ends_at");
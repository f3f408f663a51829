CREATE TABLE "slack_links" (
	"project_id" text NOT NULL,
	"destination_id" text NOT NULL,
	"team_id" text NOT NULL,
	"slack_user_id" text NOT NULL,
	"slack_name" text NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "slack_links_project_id_destination_id_team_id_slack_user_id_pk" PRIMARY KEY("project_id","destination_id","team_id","slack_user_id")
);
--> statement-breakpoint
ALTER TABLE "destinations" ADD COLUMN "actions_secret_sealed" text;--> statement-breakpoint
ALTER TABLE "slack_links" ADD CONSTRAINT "slack_links_destination" FOREIGN KEY ("project_id","destination_id") REFERENCES "public"."destinations"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slack_links" ADD CONSTRAINT "slack_links_member" FOREIGN KEY ("project_id","user_id") REFERENCES "public"."members"("project_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "slack_links_user" ON "slack_links" USING btree ("project_id","user_id");--> statement-breakpoint
CREATE INDEX "destinations_actions" ON "destinations" USING btree ("id") WHERE actions_secret_sealed is not null;